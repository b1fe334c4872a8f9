import { consolePaths } from '../../console-paths.ts'
import { QueryView } from '../components/query-view.tsx'
import { recentContexts } from '../recent-contexts.ts'
import { SimulationReport, type SimulationView } from '../review/simulation-report.tsx'
import { callConsole } from '../session.ts'
import { useQuery } from '../use-query.ts'

/**
 * Shows what a planned change would do if it were made now, by a simulation.
 *
 * @param planned the approval request or the scheduled change, as the function `simulate` accepts it.
 */
export function ChangeEffect({ planned }: { planned: object }) {
  const simulation = useQuery(`effect ${JSON.stringify(planned)}`, () =>
    callConsole<SimulationView>(consolePaths.simulation, { ...planned, contexts: recentContexts() }),
  )
  return <QueryView query={simulation}>{(result) => <SimulationReport simulation={result} />}</QueryView>
}
