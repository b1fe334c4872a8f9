import * as v from 'valibot'
import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { operation } from '../../operation/operation.ts'
import { page } from '../../operation/schema.ts'
import { snippetsOf } from '../../rules/ai-configs/snippet-references.ts'
import { listTextReferences, textReferencesResponse } from '../agent-texts/text-references.ts'

export const listPromptSnippetReferences = operation({
  id: 'listPromptSnippetReferences',
  summary: 'List the variations of AI configs that contain a prompt snippet, with the version that each contains',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}/references',
  query: v.object(page()),
  success: { status: 200, body: textReferencesResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  handle: (context, { params, query }) =>
    listTextReferences(
      context,
      { texts: promptSnippets, field: 'snippets', versionsIn: snippetsOf },
      { keys: params, textKey: params.snippetKey },
      query,
    ),
})
