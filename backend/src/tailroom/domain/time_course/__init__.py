"""How latencies change while a run goes on: steady state, change points, drift, worst hours, burn rates."""
