import { type ApprovalRequest, api } from '../api.ts'
import { jsonText } from '../components/json-text.ts'
import { QueryView } from '../components/query-view.tsx'
import { ReportPart } from '../review/report-part.tsx'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'

type ChangesSimulation = Awaited<ReturnType<typeof api.simulateChanges>>

/**
 * Shows what a request for a list of changes would do now: its sentences, and which of the last evaluated contexts
 * would get another value.
 */
export function ChangeListEffect({ request: { _id: id, instructions } }: { request: ApprovalRequest }) {
  const simulation = useQuery(`effect ${id}`, () =>
    api.simulateChanges({
      body: {
        changes: instructions.map(({ operation, parameters, body }) => ({
          operation: String(operation),
          ...(parameters === undefined ? {} : { parameters: parameters as Record<string, unknown> }),
          ...(body === undefined ? {} : { body }),
        })),
      },
    }),
  )
  return <QueryView query={simulation}>{(simulated) => <ChangeListReport simulated={simulated} />}</QueryView>
}

function ChangeListReport({ simulated: { items, effects, evaluatedContexts } }: { simulated: ChangesSimulation }) {
  const { review } = texts
  return (
    <>
      <ReportPart title={review.changes} items={items.flatMap(({ sentences }) => sentences)} />
      <ReportPart
        title={review.evaluatedContexts}
        items={
          effects.length === 0
            ? [review.noChangedContexts(evaluatedContexts)]
            : effects.flatMap((effect) => linesOf(effect))
        }
      />
    </>
  )
}

function linesOf({
  name,
  environmentKey,
  changed,
  evaluated,
  contexts,
}: ChangesSimulation['effects'][number]): string[] {
  const { effectOnFlag, contextChanges } = texts.review
  return [
    effectOnFlag(name, environmentKey, changed, evaluated),
    ...contexts.map(({ keys, before, after }) =>
      contextChanges(Object.values(keys).join(', '), jsonText(before.value), jsonText(after.value)),
    ),
  ]
}
