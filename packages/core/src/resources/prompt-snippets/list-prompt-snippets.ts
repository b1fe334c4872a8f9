import { projects } from '../../models/projects/project.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { promptSnippets } from './prompt-snippet.ts'
import { presentPromptSnippet, promptSnippetWire } from './prompt-snippet-wire.ts'

export const listPromptSnippets = listCard(promptSnippets, {
  id: 'listPromptSnippets',
  summary: "List a project's prompt snippets, each in its newest version",
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  answer: promptSnippetWire,
  present: presentPromptSnippet,
})
