"""Histograms that production systems collect anyway: those of Prometheus and of OpenTelemetry."""
