import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import type { RevisedDocument } from '../../storage/revisions.ts'

/** A named text for agents, stored in revisions: the common part of prompt snippets and agent skills. */
export interface AgentText extends RevisedDocument, MaintainerReference {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}
