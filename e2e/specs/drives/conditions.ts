// Conditions that journeys open by URL. Without them, the leaderboard opens on its largest class.

/** Tests of 2012, whose 1 ms labels begin at 2 ms, so that loads fail or stay undecided. */
export const OF_2012 = "?metric=total&op=over_provisioned&generation=before-2.0";

/** Over-provisioned drives without a stated tool: some passed, some failed, some tie. */
export const OVER_PROVISIONED = "?metric=unstated&op=over_provisioned&generation=unstated";
