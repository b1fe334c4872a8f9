import { listCard } from '../../operation/cards/list-card.ts'
import { repositories } from './repository.ts'
import { presentRepository, repositoryWire } from './repository-wire.ts'

export const listRepositories = listCard(repositories, {
  id: 'listRepositories',
  summary: 'List the repositories that the caller may see, by name',
  path: '/api/v2/code-refs/repositories',
  access: { open: true, why: 'what the caller may not view is left out' },
  visible: 'viewCodeReferenceRepository',
  answer: repositoryWire,
  present: presentRepository,
})
