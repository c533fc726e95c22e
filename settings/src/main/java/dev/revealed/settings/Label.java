package dev.revealed.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How a number of a result is shown to people: whoever shows results need not know the record. */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Label {
    /** In a table or above a chart. */
    String value();

    /** Significant digits in a table; decimals in a column of numbers. */
    int digits() default 4;

    /** Whether a series of it is drawn. */
    boolean drawn() default false;
}
