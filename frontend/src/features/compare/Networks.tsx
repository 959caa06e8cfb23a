// A slower network against a faster one, phase by phase: the statements of a report, and the minimum that its own rates need.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { publicationQuery } from "@/api/publications";
import { formatCount } from "@/lib/format";
import { QueryView } from "@/ui/QueryView";
import { ScrollRegion } from "@/ui/ScrollRegion";
import classes from "./ComparePage.module.css";
import { fillText, LINKS_BITS_PER_S, networksSentence, phasesOf } from "./networks";

const DOCUMENT = "demartek-fraud-r730xd-2015";

export function Networks() {
  const publication = useQuery(publicationQuery(DOCUMENT));
  if (publication.data === undefined)
    return <QueryView query={publication} what="the comparison" lines={4} height={96} />;
  const phases = phasesOf(publication.data);
  return (
    <>
      <header className={classes["pair"]}>
        <p className={classes["question"]}>Does a faster network help?</p>
        <h1 className={classes["headline"]}>{networksSentence(phases)}</h1>
        <p className={classes["reason"]}>
          The report says that 10 and 40&nbsp;GbE do not differ significantly in any phase, and elsewhere that
          40&nbsp;GbE lowers latency. Its charts are pictures without figures, so neither can be recomputed.
        </p>
        <p>
          <Link to="/publications/$slug" params={{ slug: DOCUMENT }} hash="findings">
            What the checks found in this report
          </Link>
        </p>
      </header>
      <section className={classes["section"]} aria-label="Load of the network by phase">
        <h2>By phase, what one server sends at least</h2>
        <ScrollRegion label="Load of the network by phase" cards>
          <table className="data">
            <thead>
              <tr>
                <th scope="col">Phase</th>
                <th scope="col" className="right">
                  Reads
                </th>
                <th scope="col" className="right">
                  Updates
                </th>
                <th scope="col" className="right">
                  Sent at least
                </th>
                <th scope="col" className="right">
                  Of 10&nbsp;GbE
                </th>
                <th scope="col" className="right">
                  Of 40&nbsp;GbE
                </th>
              </tr>
            </thead>
            <tbody>
              {phases.map((phase) => (
                <tr key={phase.row}>
                  <th scope="row">{phase.label}</th>
                  <td className="right">{formatCount(phase.readsPerS)}/s</td>
                  <td className="right">{formatCount(phase.updatesPerS)}/s</td>
                  <td className="right">{(Math.floor(phase.bitsPerS / 1e8) / 10).toFixed(1)}&nbsp;Gbit/s</td>
                  {LINKS_BITS_PER_S.map((link) => (
                    <td key={link} className="right">
                      {fillText(phase.bitsPerS, link)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        <p className="dim">
          Objects of 900 bytes that are read, divided evenly among four servers. Headers, updates and copies between the
          servers come on top.
        </p>
      </section>
    </>
  );
}
