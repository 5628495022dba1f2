import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'>

/**
 * The way to the upgrade page. It loads a document of its own, as only that one's policy lets Stripe in (server/headers.ts);
 * what is being typed anywhere is kept as a draft meanwhile.
 */
export const UpgradeLink = (props: Props) => <Link to="/subscribe" reloadDocument {...props} />
