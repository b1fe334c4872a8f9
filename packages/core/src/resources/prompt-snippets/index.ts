import { createPromptSnippet } from './create-prompt-snippet.ts'
import { deletePromptSnippet } from './delete-prompt-snippet.ts'
import { getPromptSnippet } from './get-prompt-snippet.ts'
import { listPromptSnippetVersions } from './list-prompt-snippet-versions.ts'
import { listPromptSnippets } from './list-prompt-snippets.ts'
import { patchPromptSnippet } from './patch-prompt-snippet.ts'

export const promptSnippetOperations = [
  listPromptSnippets,
  createPromptSnippet,
  getPromptSnippet,
  patchPromptSnippet,
  deletePromptSnippet,
  listPromptSnippetVersions,
] as const
