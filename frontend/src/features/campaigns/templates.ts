// Plans to begin with. Rates are small: a first campaign shows that everything works, before it loads anything.
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
  ycsb: {
    label: "YCSB",
    plan: `# Workload B of YCSB: 95 % reads
workload=site.ycsb.workloads.CoreWorkload
recordcount=100000
operationcount=600000
readproportion=0.95
updateproportion=0.05
requestdistribution=zipfian
threadcount=32
target=5000
`,
  },
  keyvalue: {
    label: "Key-value, 80 % reads",
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
} as const;

export type TemplateName = keyof typeof TEMPLATES;
