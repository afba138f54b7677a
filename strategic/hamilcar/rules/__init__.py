"""The chapters of Hamilcar, one a file."""
