import type { EvaluationContext } from '@halyard/core/evaluation'
import type {
  SimulatedContext,
  SimulatedFlag,
  SimulatedMembership,
  SimulatedSegment,
  SimulatedVariation,
  Simulation,
} from '@halyard/core/operations'

type SimulatedResult = SimulatedVariation | SimulatedMembership

/**
 * Returns a simulation as text: what changes for which contexts, then everything else that is affected, one line each.
 *
 * @param name name of the flag, segment or AI config that changes.
 * @param why true to explain each result that changes.
 */
export function simulationText(simulation: Simulation<SimulatedResult>, name: string, why: boolean): string {
  const { contexts, changed, changeLogEntry, approvals, webhooks, migrationSafetyIssues } = simulation
  const changedContexts = contexts.filter((item) => item.changed)
  const lines = [
    `${name}: ${changed} of ${contexts.length} contexts change`,
    ...table(
      changedContexts.map((item) => [contextName(item.context), resultText(item.before), '->', resultText(item.after)]),
    ),
    ...(why ? changedContexts.flatMap(whyLines) : []),
    ...simulation.flags.filter((item) => item.changed > 0).map((item) => flagLine(item, contexts.length)),
    ...simulation.aiConfigs.filter((item) => item.changed > 0).map((item) => configLine(item, contexts.length)),
    ...simulation.segments.map(segmentLine),
    ...migrationSafetyIssues.map(({ issue }) => `not safe: ${issue}`),
    ...(approvals.required ? [`needs approval: ${approvals.why}`] : []),
    ...webhooks.map(({ _id, host }) => `notifies webhook ${_id} at ${host}`),
    changeLogEntry
      ? `needs ${changeLogEntry.accesses.map(({ action, resource }) => `${action} on ${resource}`).join(', ')}`
      : 'changes nothing',
    'nothing was written',
  ]
  return `${lines.map(printable).join('\n')}\n`
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length))) ?? []
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ')}`.trimEnd())
}

/** Returns `user ann`, or the keys of all kinds when there are several. */
function contextName(context: EvaluationContext): string {
  const { kind = 'user', key } = context
  if (kind !== 'multi') return `${kind} ${key}`
  const parts = Object.entries(context).filter(([name]) => name !== 'kind')
  return parts.map(([name, item]) => `${name} ${(item as { readonly key?: unknown }).key}`).join(' + ')
}

function resultText(result: SimulatedResult): string {
  if ('member' in result) return result.member ? 'in' : 'not in'
  const { value, variationIndex, reason } = result
  return `${variationIndex === null ? 'the default' : JSON.stringify(value)} (${reason.kind})`
}

function whyLines({ context, why }: SimulatedContext<SimulatedResult>): string[] {
  if (!why) return []
  const section = (title: string, text: string) => [`  ${title}:`, ...text.split('\n').map((line) => `    ${line}`)]
  return [contextName(context), ...section('before', why.before), ...section('after', why.after)]
}

function flagLine({ key, changed }: SimulatedFlag, total: number): string {
  return `dependent flag ${key}: ${changed} of ${total} contexts change`
}

function configLine({ key, changed }: SimulatedFlag, total: number): string {
  return `dependent AI config ${key}: ${changed} of ${total} contexts change`
}

function segmentLine({ key, before, after, referenced }: SimulatedSegment): string {
  const counts =
    before === after ? `contains ${after} of the contexts` : `contains ${after} instead of ${before} of the contexts`
  if (!referenced || referenced.before === referenced.after) return `segment ${key}: ${counts}`
  return `segment ${key} is ${referenced.after ? 'newly referenced' : 'no longer referenced'}: ${counts}`
}

/** Replaces control characters, because texts of users could otherwise move the cursor of a terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, '\uFFFD')
}
