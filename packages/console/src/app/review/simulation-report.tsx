import { jsonText } from '../components/json-text.ts'
import { texts } from '../texts.ts'
import { ReportPart } from './report-part.tsx'

interface SimulatedAnswer {
  readonly value?: unknown
  readonly member?: boolean
}

/** The parts of a simulation that people read. */
export interface SimulationView {
  readonly kind: 'flag' | 'segment' | 'aiconfig'
  readonly contexts: readonly {
    readonly context: { readonly key?: unknown }
    readonly changed: boolean
    readonly before: SimulatedAnswer
    readonly after: SimulatedAnswer
  }[]
  readonly flags: readonly { readonly key: string; readonly name: string; readonly changed: number }[]
  readonly migrationSafetyIssues: readonly { readonly issue?: string }[]
  readonly approvals: { readonly required: boolean; readonly why?: string }
  readonly webhooks: readonly { readonly _id: string; readonly name: string; readonly host: string }[]
  readonly changeLogEntry?: { readonly description: string }
}

/** Describes a change: sentences, approvals, dependent flags, webhooks, and contexts whose value changes. */
export function SimulationReport({ simulation }: { simulation: SimulationView }) {
  const { contexts, flags, approvals, webhooks, changeLogEntry, migrationSafetyIssues } = simulation
  const { review } = texts
  if (!changeLogEntry) return <p>{review.nothing}</p>
  return (
    <>
      <ReportPart title={review.changes} items={changeLogEntry.description.split('\n')} />
      <ReportPart
        title={review.approvals}
        items={[approvals.required ? review.approvalNeeded(approvals.why ?? '') : review.noApproval]}
      />
      <ReportPart
        title={review.flags}
        items={
          flags.length === 0 ? [review.noFlags] : flags.map(({ key, changed }) => review.flagChanges(key, changed))
        }
      />
      <ReportPart
        title={review.webhooks}
        items={webhooks.length === 0 ? [review.noWebhooks] : webhooks.map(({ name, host }) => `${name} (${host})`)}
      />
      <ReportPart
        title={review.contexts}
        items={contexts.length === 0 ? [review.noContexts] : contexts.map(contextText)}
      />
      {migrationSafetyIssues.length > 0 && (
        <ReportPart title={review.safety} items={migrationSafetyIssues.map(({ issue = '' }) => issue)} />
      )}
    </>
  )
}

function contextText({ context, changed, before, after }: SimulationView['contexts'][number]): string {
  const key = String(context.key ?? jsonText(context))
  if (!changed) return texts.review.contextSame(key)
  if (after.member !== undefined) return texts.review.members(key, after.member)
  return texts.review.contextChanges(key, jsonText(before.value), jsonText(after.value))
}
