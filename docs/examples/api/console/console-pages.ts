import { consolePages } from '@halyard/console'

const pages = consolePages()
const response = await pages('GET', '/api/v2/flags/web')
console.log(response) // undefined
