import { lintPolicy } from '@halyard/testing'

const [finding] = lintPolicy([{ effect: 'allow', resources: ['proj/web'], actions: ['updateNam'] }])
console.log(finding?.rule) // matches-nothing
