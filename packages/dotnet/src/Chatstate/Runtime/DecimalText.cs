using System;
using System.Globalization;
using System.Numerics;

namespace Chatstate;

/// <summary>
/// A decimal value in normal form: <c>d.ddd</c> times ten to the exponent, without zeros at either end
/// of the digits. Zero has no digits, no sign and the exponent 0.
/// </summary>
internal readonly record struct DecimalText(bool IsNegative, string Digits, long Exponent)
{
    /// <summary>The most digits that an integer is written out with.</summary>
    private const int MaxPlainDigits = 1_000;

    /// <summary>The exponent from which on JavaScript writes integers with an exponent.</summary>
    private const int MaxPlainExponent = 21;

    /// <summary>The most digits with which it is tested whether a number is a multiple of another.</summary>
    private const int MaxDivisionDigits = 10_000;

    public bool IsInteger => Digits.Length == 0 || Exponent >= Digits.Length - 1;

    private string Sign => IsNegative ? "-" : "";

    /// <summary>Reads text that is a JSON number.</summary>
    public static DecimalText Read(string text)
    {
        var isNegative = text.StartsWith('-');
        var mark = text.AsSpan().IndexOfAny('e', 'E');
        var mantissa = text.AsSpan()[(isNegative ? 1 : 0)..(mark < 0 ? text.Length : mark)];
        var exponent = mark < 0 ? 0 : long.Parse(text.AsSpan(mark + 1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        var point = mantissa.IndexOf('.');
        var whole = point < 0 ? mantissa : mantissa[..point];
        var fraction = point < 0 ? default : mantissa[(point + 1)..];
        var digits = string.Concat(whole, fraction);
        var significant = digits.TrimStart('0');
        if (significant.Length == 0)
        {
            return new(false, "", 0);
        }

        var leading = digits.Length - significant.Length;
        return new(isNegative, significant.TrimEnd('0'), exponent + whole.Length - leading - 1);
    }

    public int CompareTo(DecimalText other)
    {
        var (sign, otherSign) = (SignOf(this), SignOf(other));
        if (sign != otherSign || sign == 0)
        {
            return sign.CompareTo(otherSign);
        }

        var magnitude = Exponent.CompareTo(other.Exponent);
        return sign * (magnitude != 0 ? magnitude : System.Math.Sign(string.CompareOrdinal(Digits, other.Digits)));
    }

    public bool TryGetInt64(out long value)
    {
        value = 0;
        return IsInteger
            && Exponent <= 18
            && long.TryParse(Sign + Plain(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
    }

    public bool IsMultipleOf(DecimalText other)
    {
        if (Digits.Length == 0 || other.Digits.Length == 0)
        {
            return Digits.Length == 0;
        }

        // Both as integers of one unit; a distance that no schema means would fill the memory.
        var shift = Exponent - Digits.Length - (other.Exponent - other.Digits.Length);
        if (System.Math.Abs(shift) > MaxDivisionDigits)
        {
            return shift > 0;
        }

        var (left, right) = (BigInteger.Parse(Digits, CultureInfo.InvariantCulture), BigInteger.Parse(other.Digits, CultureInfo.InvariantCulture));
        var power = BigInteger.Pow(10, (int)System.Math.Abs(shift));
        return (shift > 0 ? left * power % right : left % (right * power)).IsZero;
    }

    /// <summary>The canonical text: that of JavaScript where a double has this value, else all digits.</summary>
    public string ToCanonical(double nearest)
    {
        if (Read(nearest.ToString("R", CultureInfo.InvariantCulture)) == this)
        {
            return ToJavaScript();
        }

        return IsInteger && Exponent < MaxPlainDigits ? Sign + Plain() : Scientific();
    }

    private static int SignOf(DecimalText value) => value.Digits.Length == 0 ? 0 : value.IsNegative ? -1 : 1;

    private string Plain() => Digits.Length == 0 ? "0" : Digits.PadRight((int)Exponent + 1, '0');

    private string Scientific()
    {
        var fraction = Digits.Length > 1 ? $".{Digits[1..]}" : "";
        return string.Create(CultureInfo.InvariantCulture, $"{Sign}{Digits[0]}{fraction}e{Exponent:+0;-0}");
    }

    private string ToJavaScript()
    {
        if (Digits.Length == 0)
        {
            return "0";
        }

        return Exponent switch
        {
            >= MaxPlainExponent or < -6 => Scientific(),
            < 0 => $"{Sign}0.{Digits.PadLeft(Digits.Length - (int)Exponent - 1, '0')}",
            _ when IsInteger => Sign + Plain(),
            _ => Sign + Digits.Insert((int)Exponent + 1, "."),
        };
    }
}
