import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { maintainedBy } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { promptSnippetRevisions, promptSnippets } from './prompt-snippet.ts'
import { promptSnippetChange, promptSnippetWire, presentPromptSnippet } from './prompt-snippet-wire.ts'

export const patchPromptSnippet = updateCard(promptSnippets, {
  id: 'patchPromptSnippet',
  method: 'PATCH',
  summary: 'Make a new version of a prompt snippet',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: promptSnippetChange,
  async change({ tx, now, fail }, before, body, keys) {
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    return nextRevision(tx, promptSnippetRevisions, keys, before, maintainedBy(withMembers(before, body), body), now)
  },
  answer: promptSnippetWire,
  present: presentPromptSnippet,
})
