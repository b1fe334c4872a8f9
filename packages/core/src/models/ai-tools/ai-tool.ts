import { documents } from '../../storage/collection.ts'
import type { Lockable } from '../../storage/lock-document.ts'
import { type RevisedDocument, revisionsOf } from '../../storage/revisions.ts'
import type { MaintainerReference } from '../maintainers/maintainer.ts'
import { maintainerSentences, shownMaintainer } from '../maintainers/maintainer.ts'

/** A tool that a model can call. Variations of AI configs refer to one of its revisions. */
export interface AITool extends RevisedDocument, Lockable, MaintainerReference {
  readonly key: string
  readonly description: string
  /** JSON Schema of the tool's parameters, for the model. */
  readonly schema: Readonly<Record<string, unknown>>
  /** For the application only; not for the model. */
  readonly customParameters: Readonly<Record<string, unknown>>
}

export const aiTools = documents<AITool>()({
  name: 'ai-tool',
  noun: 'AI tool',
  address: 'proj/{projectKey}:ai-tool/{toolKey}',
  shown: { ...shownMaintainer, revision: null, holds: null },
  sentences: { changed: maintainerSentences },
  changes: {
    key: null,
    description: 'updateAITool',
    schema: 'updateAITool',
    customParameters: 'updateAITool',
    maintainerId: 'updateAITool',
    maintainerTeamKey: 'updateAITool',
    revision: null,
    holds: null,
    createdAt: null,
  },
})

export const aiToolRevisions = revisionsOf(aiTools)

export type AIToolKeys = Readonly<Record<'projectKey' | 'toolKey', string>>
