import { resource } from '../../operation/resource.ts'
import { branches } from './branch.ts'
import { createExtinctions } from './create-extinctions.ts'
import { createRepository } from './create-repository.ts'
import { deleteBranches } from './delete-branches.ts'
import { deleteRepository } from './delete-repository.ts'
import { extinctions } from './extinction.ts'
import { getBranch } from './get-branch.ts'
import { getRepository } from './get-repository.ts'
import { getRootStatistics } from './get-root-statistics.ts'
import { getStatistics } from './get-statistics.ts'
import { listBranches } from './list-branches.ts'
import { listExtinctions } from './list-extinctions.ts'
import { listRepositories } from './list-repositories.ts'
import { patchRepository } from './patch-repository.ts'
import { putBranch } from './put-branch.ts'
import { repositories } from './repository.ts'
import { statistics } from './statistics.ts'

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
  operations: [
    listRepositories,
    createRepository,
    getRepository,
    patchRepository,
    deleteRepository,
    listBranches,
    getBranch,
    putBranch,
    deleteBranches,
    createExtinctions,
    listExtinctions,
    getRootStatistics,
    getStatistics,
  ],
  parameters: {
    repo: 'Name of the repository.',
    branch: 'Name of the branch; `/` in it is written `%2F`.',
    repoName: 'Only references in the repository with this name.',
    branchName: 'Only references on the branch with this name.',
  },
})
