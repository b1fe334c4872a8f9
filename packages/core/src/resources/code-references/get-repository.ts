import { getCard } from '../../operation/cards/get-card.ts'
import { repositories } from './repository.ts'
import { presentRepository, repositoryWire } from './repository-wire.ts'

export const getRepository = getCard(repositories, {
  id: 'getRepository',
  summary: 'Fetch a repository',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  answer: repositoryWire,
  present: presentRepository,
})
