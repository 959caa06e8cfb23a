"""Every tested load that an organisation may see, as columns in memory."""
