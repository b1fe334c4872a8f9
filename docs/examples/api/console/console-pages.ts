import { consolePages } from '@halyard/console'

const pages = consolePages()
const answer = await pages('GET', '/api/v2/flags/web')
console.log(answer) // undefined
