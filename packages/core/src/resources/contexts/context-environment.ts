import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Context } from '../../operation/context.ts'
import type { BigSegmentLookup, EvaluationContext } from '../../rules/evaluation/index.ts'
import type { Reader } from '../../storage/reader.ts'
import { bigSegmentLists, keysOfContexts } from '../evaluation/big-segment-lists.ts'
import { type EnvironmentContent, readContent } from '../evaluation/environment-content.ts'
import { type EvaluatedContent, evaluatedContent } from '../evaluation/evaluated-content.ts'

/** An environment that is ready for the evaluation of flags for one context. */
export interface ContextEnvironment {
  readonly documents: EnvironmentContent
  readonly content: EvaluatedContent
  readonly bigSegments: BigSegmentLookup
}

/** Reads an environment as it is now, and the memberships of a context. Fails with 404 when it does not exist. */
export async function readContextEnvironment(
  context: Context<Reader, 'not_found'>,
  keys: EnvironmentKeys,
  evaluated: EvaluationContext,
): Promise<ContextEnvironment> {
  const { tx } = context
  const documents = (await readContent(tx, keys)) ?? context.fail('not_found')
  const content = await evaluatedContent(documents, context.useHost(), context.readClock())
  return { documents, content, bigSegments: await bigSegmentLists(tx, keys, keysOfContexts([evaluated]), content) }
}
