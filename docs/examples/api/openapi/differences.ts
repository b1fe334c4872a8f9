import { contractOf, differences, openApiDocument } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'

const { operations } = await createTestEngine()
const contract = (of: typeof operations) => contractOf(openApiDocument(of, { version: '1.0.0' }))
const later = operations.filter(({ id }) => id !== 'getTeam')
const [removed] = differences(contract(operations), contract(later))
console.log(removed?.operation, removed?.change, removed?.breaking) // getTeam removed true
