import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native = Omit<ComponentPropsWithRef<'a'>, 'color' | 'style'>;

/** A page of the console, as a button. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);

/** A page of the console, as a word. */
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
