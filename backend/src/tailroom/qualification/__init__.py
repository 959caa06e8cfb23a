"""Qualification suites of drives: the runs of one `tailroom-agent qualify`, as the standard reports them."""
