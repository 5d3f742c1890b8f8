"""What a spec means: from the checked models to the plan that the engine runs."""
