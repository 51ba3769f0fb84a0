// The search shows an excerpt of each page it finds, but pages opened as files may not read others.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
