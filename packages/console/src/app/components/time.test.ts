import { expect, it, vi } from 'vitest'
import { localTimeText } from './time.tsx'

it.each([
  ['UTC', '2027-03-28T01:30'],
  ['America/New_York', '2027-03-27T21:30'],
  ['Asia/Kolkata', '2027-03-28T07:00'],
])('a time field shows the local time in the time zone %s', (zone, text) => {
  vi.stubEnv('TZ', zone)
  try {
    const time = Date.UTC(2027, 2, 28, 1, 30)
    expect([localTimeText(time), localTimeText(String(time))]).toEqual([text, text])
    expect(new Date(text).getTime()).toBe(time)
  } finally {
    vi.unstubAllEnvs()
  }
})
