"""Schedule -> views -> artifacts: one folder per target, one place that writes."""
