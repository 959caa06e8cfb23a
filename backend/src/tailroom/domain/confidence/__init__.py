"""Confidence limits of shares and quantiles, effective samples, comparisons."""
