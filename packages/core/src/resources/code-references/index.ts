import { repositories } from '../../models/code-references/repository.ts'
import { statistics } from '../../models/code-references/statistics.ts'
import { resource } from '../../operation/resource.ts'
import { branches } from './branch.ts'
import { extinctions } from './extinction.ts'
import * as operations from './operations.ts'

export const codeReferences = resource({
  title: 'Code references',
  description: 'References to flags in code: repositories, branches, and commits that removed a flag.',
  kinds: [
    {
      shape: 'code-reference-repository',
      actions: [
        'viewCodeReferenceRepository',
        'createCodeReferenceRepository',
        'updateCodeReferenceRepositoryConfiguration',
        'updateCodeReferenceRepositoryOn',
        'updateCodeReferenceRepositoryBranches',
        'deleteCodeReferenceRepository',
      ],
    },
  ],
  collections: [branches, extinctions, repositories, statistics],
  operations: Object.values(operations),
  parameters: {
    projKey: 'Key of the project.',
    repo: 'Name of the repository.',
    branch: 'Name of the branch; `/` in it is written `%2F`.',
    withBranches: 'Any value adds at most 100 branches of each repository, without their references.',
    withReferencesForDefaultBranch:
      'Any value adds the branches of each repository, and the references on its default branch.',
    repoName: 'Only references in the repository with this name.',
    branchName: 'Only references on the branch with this name.',
  },
})
