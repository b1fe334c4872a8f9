const place = 'halyard-token'

/** The access token, in the session storage of this tab. Other tabs do not have it, and closing the tab deletes it. */
export const token = {
  read: (): string | undefined => sessionStorage.getItem(place) ?? undefined,
  keep: (value: string): void => sessionStorage.setItem(place, value),
  forget: (): void => sessionStorage.removeItem(place),
}
