"""Results → report.md and report.html: our tables beside the published ones, and pictures."""
