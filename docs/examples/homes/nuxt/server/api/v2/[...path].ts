import { handler } from '../../halyard'

export default defineEventHandler((event) => handler(toWebRequest(event)))
