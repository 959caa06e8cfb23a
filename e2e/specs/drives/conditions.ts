// Classes of conditions that journeys open by their address. Without one the leaderboard opens on its largest class.

/** The tests of 2012, whose labels of 1 ms begin at 2 ms: a load fails there, or stays undecided. */
export const OF_2012 = "?metric=total&op=over_provisioned&generation=before-2.0";

/** Over-provisioned drives whose tool is not stated: some passed, some failed, some tie. */
export const OVER_PROVISIONED = "?metric=unstated&op=over_provisioned&generation=unstated";
