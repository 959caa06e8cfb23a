// Plans of the templates. Rates are low, because a first campaign has to show that everything works.
/** Returns a YCSB workload file; all workloads use the same records. */
const ycsb = (letter: string, mix: string): string => `# Workload ${letter} of YCSB
workload=site.ycsb.workloads.CoreWorkload
recordcount=100000
operationcount=600000
${mix}
requestdistribution=zipfian
threadcount=32
target=5000
`;

export const TEMPLATES = {
  fraud: {
    label: "Fraud ladder",
    plan: `workload = "fraud"

[fraud]
factor = 0.002              # of the report's rates: 2,000 to 6,000 reads/s
reads_per_transaction = 250
objects = 1_000_000
connections = 64            # of all agents together
warm_up_s = 60
ramp_s = 10
measure_s = 120
`,
  },
  ycsbSuite: {
    label: "YCSB suite: A, B, C, F and D",
    plan: `# YCSB's workloads one after the other, on the same records
workload=site.ycsb.workloads.CoreWorkload
tailroom.workloads=A,B,C,F,D
recordcount=100000
operationcount=300000
threadcount=32
target=5000
`,
  },
  ycsbA: { label: "YCSB A: half reads, half updates", plan: ycsb("A", "readproportion=0.5\nupdateproportion=0.5") },
  ycsbB: { label: "YCSB B: 95\u00a0% reads", plan: ycsb("B", "readproportion=0.95\nupdateproportion=0.05") },
  ycsbC: { label: "YCSB C: reads alone", plan: ycsb("C", "readproportion=1\nupdateproportion=0") },
  ycsbD: {
    label: "YCSB D: 95\u00a0% reads of the latest, inserts",
    plan: ycsb("D", "readproportion=0.95\nupdateproportion=0\ninsertproportion=0.05").replace("=zipfian", "=latest"),
  },
  ycsbE: {
    label: "YCSB E: short scans, inserts",
    plan: `${ycsb("E", "readproportion=0\nupdateproportion=0\nscanproportion=0.95\ninsertproportion=0.05")}maxscanlength=100\n`,
  },
  ycsbF: {
    label: "YCSB F: read, change, write back",
    plan: ycsb("F", "readproportion=0.5\nupdateproportion=0\nreadmodifywriteproportion=0.5"),
  },
  keyvalue: {
    label: "Key-value, 80\u00a0% reads",
    plan: `workload = "keyvalue"

[keyvalue]
ratio = "1:4"               # sets to gets
key_maximum = 999_999
object_bytes = 1024
connections = 32            # of all agents together
rate_per_s = 10_000
ramp_s = 5
measure_s = 60
`,
  },
  drives: {
    label: "Drive ladder, reads alone",
    plan: `workload = "drive-ladder"

[drive_ladder]
loads = [1, 2, 4]           # one phase each: times 2,000 reads/s of each drive, as ACT counts loads
ramp_s = 5
measure_s = 60
`,
  },
  syncWrites: {
    label: "Synchronous writes: fast enough for etcd, PostgreSQL?",
    plan: `workload = "sync-write"

[sync_write]
block_bytes = [4096, 8192]  # one phase each: etcd writes about 2 to 4 KiB, PostgreSQL pages of 8 KiB
measure_s = 60
`,
  },
} as const;

export type TemplateName = keyof typeof TEMPLATES;
