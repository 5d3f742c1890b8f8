"""What the tool promises, shown on real sites and applications; each script prints its figures and ends non-zero when
one does not hold. From the repository's root:

    python -m bench.shows.sites postgres sqlite rust    # every page once, the same bytes with 1 and 16 threads
    python -m bench.shows.hosts                         # 50 hosts: polite, and no slower than politeness asks
    python -m bench.shows.datasette | roundup | dokuwiki
    python -m bench.shows.limits                        # exactly so many pages, exactly so many items
    python -m bench.chaos                               # killed again and again, nothing lost, nothing doubled
    python -m bench.shows.faults                        # planted faults, and the tests that catch them

Sites and applications are those of the folder that YAMLCRAWL_SHARED names (default: ../shared); they must be running.
"""
