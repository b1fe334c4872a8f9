import { createCard } from '../../operation/cards/create-card.ts'
import { firstRevision } from '../../storage/revisions.ts'
import { maintainedByMaker } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { projects } from '../projects/project.ts'
import { promptSnippetRevisions, promptSnippets } from './prompt-snippet.ts'
import { promptSnippetRequest, promptSnippetWire, presentPromptSnippet } from './prompt-snippet-wire.ts'

export const createPromptSnippet = createCard(promptSnippets, {
  id: 'createPromptSnippet',
  summary: 'Create a prompt snippet',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets',
  access: { action: 'createPromptSnippet', resource: 'proj/{projectKey}:prompt-snippet/{body.key}' },
  within: projects,
  body: promptSnippetRequest,
  async make({ tx, now, caller, fail }, body, { projectKey }) {
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const keys = { projectKey, snippetKey: body.key }
    return firstRevision(tx, promptSnippetRevisions, keys, maintainedByMaker(body, caller), now)
  },
  answer: promptSnippetWire,
  present: presentPromptSnippet,
})
