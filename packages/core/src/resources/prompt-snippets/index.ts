import {
  promptSnippets as promptSnippetDocuments,
  promptSnippetRevisions,
} from '../../models/prompt-snippets/prompt-snippet.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const promptSnippets = resource({
  title: 'Prompt snippets',
  description: 'Parts of prompts that AI configs share.',
  kinds: [
    { shape: 'proj:prompt-snippet', actions: ['createPromptSnippet', 'updatePromptSnippet', 'deletePromptSnippet'] },
  ],
  collections: [promptSnippetRevisions, promptSnippetDocuments],
  operations: Object.values(operations),
  parameters: {
    snippetKey: 'Key of the prompt snippet.',
  },
})
