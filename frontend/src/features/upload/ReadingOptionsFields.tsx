// Options for reading the next files: together as one test, and the histograms to read from a file with many.
import { Checkbox, TextInput } from "@mantine/core";
import type { ReadingOptions } from "@/api/sendFiles";

type ReadingOptionsFieldsProps = { options: ReadingOptions; onChange: (options: ReadingOptions) => void };

export function ReadingOptionsFields({ options, onChange }: ReadingOptionsFieldsProps) {
  return (
    <details>
      <summary>How files are read</summary>
      <div className="stack-12" style={{ paddingTop: 12 }}>
        <Checkbox
          checked={options.join ?? false}
          onChange={(event) => onChange({ ...options, join: event.currentTarget.checked })}
          label="Files sent together are the clients of one test"
          description="They become one run: their counts are added up, and what differs between them is named."
        />
        <div className="fields">
          <TextInput
            label="Metric of a Prometheus or OpenTelemetry file"
            description="Without it every histogram of times becomes a run."
            placeholder="http_server_duration_seconds"
            maxLength={200}
            value={options.metric ?? ""}
            onChange={(event) => onChange({ ...options, metric: event.currentTarget.value.trim() })}
          />
          <TextInput
            label="Labels"
            description="Histograms that have them are added up."
            placeholder={'route="/pay",method!="GET"'}
            maxLength={4000}
            value={options.match ?? ""}
            onChange={(event) => onChange({ ...options, match: event.currentTarget.value })}
          />
        </div>
      </div>
    </details>
  );
}
