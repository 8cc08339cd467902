import { type RefObject, useLayoutEffect, useState } from 'react';

/** Steps of a reported width, so that resizing a window does not render at every pixel. */
const step = 40;

/** Width of an element in pixels, rounded down. It follows the element. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(step, Math.floor(element.clientWidth / step) * step));
    measure();
    const resizing = new ResizeObserver(measure);
    resizing.observe(element);
    return () => resizing.disconnect();
  }, [box]);
  return width;
}
