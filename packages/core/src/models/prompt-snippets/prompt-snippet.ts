import { documents } from '../../storage/collection.ts'
import { revisionsOf } from '../../storage/revisions.ts'
import type { AgentText } from '../agent-texts/agent-text.ts'
import { maintainerSentences, shownMaintainer } from '../maintainers/maintainer.ts'

/** A part of a prompt that several prompts share. */
export interface PromptSnippet extends AgentText {
  /** The text for the prompt. */
  readonly text: string
}

export const promptSnippets = documents<PromptSnippet>()({
  name: 'prompt-snippet',
  address: 'proj/{projectKey}:prompt-snippet/{snippetKey}',
  shown: { ...shownMaintainer, revision: null },
  sentences: { changed: maintainerSentences },
  changes: {
    key: null,
    name: 'updatePromptSnippet',
    description: 'updatePromptSnippet',
    text: 'updatePromptSnippet',
    tags: 'updatePromptSnippet',
    maintainerId: 'updatePromptSnippet',
    maintainerTeamKey: 'updatePromptSnippet',
    revision: null,
    createdAt: null,
  },
})

export const promptSnippetRevisions = revisionsOf(promptSnippets)
