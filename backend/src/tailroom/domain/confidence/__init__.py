"""What a sample proves: limits of shares and quantiles, effective samples, comparisons."""
