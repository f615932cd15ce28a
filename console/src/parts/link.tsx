import { Anchor, Button } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** Mantine's looks on the router's typed links. */
export const TextLink = createLink(Anchor<'a'>)
export const ButtonLink = createLink(Button<'a'>)
