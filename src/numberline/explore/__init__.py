"""Models, corpora and encoders → pictures: the last stage."""
