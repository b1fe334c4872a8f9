import type { AgentText } from '../../models/agent-texts/agent-text.ts'
import { type MaintainerReference, withDefaultMaintainer, withMaintainer } from '../../models/maintainers/maintainer.ts'
import type { Context } from '../../operation/context.ts'
import { withProperties } from '../../operation/document-operations/update-operation.ts'
import { firstRevision, nextRevision, type RevisionHistory } from '../../storage/revisions.ts'
import type { Writer } from '../../storage/writer.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'

type TextContext = Pick<Context<Writer, 'invalid_request'>, 'tx' | 'readClock' | 'caller' | 'fail'>

/** Makes a text in its first revision. Fails with `invalid_request` when the maintainer does not exist. */
export async function newAgentText<T extends AgentText, A extends string>(
  context: TextContext,
  history: RevisionHistory<T, A>,
  body: Omit<T, 'version' | 'revision' | 'createdAt'>,
): Promise<Omit<T, 'version'>> {
  const { revisions, keys } = history
  await requireMaintainer(context, body)
  return firstRevision(
    context.tx,
    { revisions, keys },
    withDefaultMaintainer(body, context.caller),
    context.readClock(),
  )
}

/** Makes the next revision of a text. Fails with `invalid_request` when the maintainer does not exist. */
export async function revisedAgentText<T extends AgentText, A extends string>(
  context: TextContext,
  { revisions, keys }: RevisionHistory<T, A>,
  before: T,
  body: MaintainerReference,
): Promise<T> {
  await requireMaintainer(context, body)
  const after = withMaintainer(withProperties(before, body), body)
  return nextRevision(context.tx, revisions, { keys, before, after }, context.readClock())
}

async function requireMaintainer({ tx, fail }: TextContext, body: MaintainerReference): Promise<void> {
  const errors = await validateMaintainer(tx, body)
  if (errors.length > 0) fail('invalid_request', { errors })
}
