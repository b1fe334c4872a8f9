import { apiDocsPages } from '@halyard/openapi'

const pages = apiDocsPages()
const response = await pages('GET', '/api/v2/projects')
console.log(response) // undefined
