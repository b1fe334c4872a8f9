import { openApiDocument, referencePages } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'

const { operations } = await createTestEngine()
const pages = referencePages(openApiDocument(operations, { version: '1.0.0' }))
console.log('README.md' in pages, 'teams.md' in pages) // true true
