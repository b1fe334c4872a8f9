import { resource } from '../../operation/resource.ts'
import { createPromptSnippet } from './create-prompt-snippet.ts'
import { deletePromptSnippet } from './delete-prompt-snippet.ts'
import { getPromptSnippet } from './get-prompt-snippet.ts'
import { listPromptSnippetVersions } from './list-prompt-snippet-versions.ts'
import { listPromptSnippets } from './list-prompt-snippets.ts'
import { patchPromptSnippet } from './patch-prompt-snippet.ts'
import { promptSnippets as promptSnippetDocuments, promptSnippetRevisions } from './prompt-snippet.ts'

export const promptSnippets = resource({
  title: 'Prompt snippets',
  description: 'Parts of prompts that AI configs share.',
  kinds: [
    { shape: 'proj:prompt-snippet', actions: ['createPromptSnippet', 'updatePromptSnippet', 'deletePromptSnippet'] },
  ],
  collections: [promptSnippetRevisions, promptSnippetDocuments],
  operations: [
    listPromptSnippets,
    createPromptSnippet,
    getPromptSnippet,
    patchPromptSnippet,
    deletePromptSnippet,
    listPromptSnippetVersions,
  ],
  parameters: {
    snippetKey: 'Key of the prompt snippet.',
  },
})
